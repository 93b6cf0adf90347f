import { dirname, posix } from 'node:path'

type Repository = { files: readonly string[]; read: (path: string) => string }

/** Links of a Markdown file to files or headings that do not exist. Addresses of the web are not fetched. */
export function brokenLinks(path: string, text: string, { files, read }: Repository): string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(target))
    .filter((target) => !exists(target))
    .map((target) => `${path}: ${target}`)

  function exists(target: string): boolean {
    const [file = '', fragment] = target.split('#')
    const named = file === '' ? path : posix.join(dirname(path), decodeURIComponent(file)).replace(/\/$/, '')
    if (named !== '.' && !files.some((known) => known === named || known.startsWith(`${named}/`))) return false
    return fragment === undefined || !named.endsWith('.md') || anchorsOf(read(named)).includes(fragment)
  }
}

/** The anchors that GitHub makes of headings: lower case, without punctuation, spaces as hyphens. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>()
  return [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
}
