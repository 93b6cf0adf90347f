import type { Context } from '../context.ts'
import { commandLine } from '../generated.ts'

export async function completion({ args, out }: Context): Promise<void> {
  const shell = args[0] as keyof typeof commandLine.completions
  const lines: readonly string[] = commandLine.completions[shell]
  for (const line of lines) out.print(line)
  out.document({ shell, script: `${lines.join('\n')}\n` })
}
