import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes nginx's configuration into its folder, readable by its owner alone, as the secret of the gateway is in it. Each
 * file appears whole, so that a reload in this moment reads an old one or a new one.
 */
export async function writeGatewayFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(join(directory, 'tmp'), { recursive: true })
  for (const [name, text] of files) {
    const draft = join(directory, `${name}.new`)
    // A draft that was left behind keeps the mode it has, so the mode is set before anything is written to it.
    await writeFile(draft, '', { mode: 0o600 })
    await chmod(draft, 0o600)
    await writeFile(draft, text)
    await rename(draft, join(directory, name))
  }
}
