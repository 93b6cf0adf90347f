import { settings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'

const listSettings: Command = {
  usage: 'settings',
  summary: 'Lists every setting with its meaning and default.',
  details: 'Each setting NAME can also be given as NAME_FILE, the path of a file that contains the value.',
  run: async () => {
    console.log('Set each as NAME=<value>, or as NAME_FILE=<path> of a file that contains the value.\n')
    for (const [name, setting] of Object.entries(settings)) {
      const fallback = setting.safeParse(undefined)
      const note = fallback.success ? ` Default: ${fallback.data ?? 'not set'}.` : ' Required where it is used.'
      console.log(`${name}\n  ${setting.description}${note}\n`)
    }
  },
}

export const commands: readonly Command[] = [listSettings]
