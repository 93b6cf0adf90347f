import type { Context } from '../context.ts'
import { commandLine } from '../generated.ts'

export async function completion({ args, out }: Context): Promise<void> {
  const shell = args[0] as keyof typeof commandLine.completions
  const script = commandLine.completions[shell]
  for (const line of script.trimEnd().split('\n')) out.print(line)
  out.document({ shell, script })
}
