import { auditWithInspector } from './inspector.ts'
import { auditWithLighthouse } from './lighthouse.ts'
import { auditRuntimes } from './runtimes/run-runtimes.ts'
import { takeScreenshots } from './screenshots.ts'

const audits: Record<string, { usage: string; summary: string; run: (args: string[]) => Promise<void> }> = {
  lighthouse: {
    usage: 'lighthouse [--types] [--base <url> …]',
    summary: 'scores, page weight and layout shift of a front page, a post, a topic and the documentation',
    run: auditWithLighthouse,
  },
  inspector: {
    usage: 'inspector [--base <url> …]',
    summary:
      'checks the MCP server of each site in both protocol versions with the official inspector, which it installs first',
    run: auditWithInspector,
  },
  runtimes: {
    usage: 'runtimes',
    summary: 'packs the TypeScript client and uses it in every Node on the PATH, Bun, Deno and Chromium',
    run: auditRuntimes,
  },
  screenshots: {
    usage: 'screenshots <folder>',
    summary: 'screenshots of every page type: narrow and wide, light and dark',
    run: takeScreenshots,
  },
}

const [name = '', ...args] = process.argv.slice(2)
const audit = Object.hasOwn(audits, name) ? audits[name] : undefined
if (audit && !args.includes('--help')) await audit.run(args)
else {
  console.log('Usage: npm run audit -- <audit>\n')
  for (const { usage, summary } of Object.values(audits)) console.log(`  ${usage.padEnd(28)} ${summary}`)
  console.log('\nThe audits of sites start them with posts of every kind, unless --base names a running site.')
  if (!audit && name !== '--help') process.exitCode = 2
}
