import packageFile from '../../../package.json' with { type: 'json' }
import type { Alternate } from '../../publishing/page-frame.ts'
import { searchIndexPath } from './book-page.ts'
import type { DocumentSite } from './document-site.ts'
import { exampleFences } from './examples/call-fences.ts'
import type { TextFacts } from './fill.ts'
import { authenticationFacts, familyTable } from './guides/authentication.ts'
import { commandLineFacts } from './guides/clients/command-line.ts'
import { pythonFacts } from './guides/clients/python.ts'
import { streamFacts } from './guides/clients/stream.ts'
import { typescriptFacts } from './guides/clients/typescript.ts'
import { errorsFacts } from './guides/errors.ts'
import { limitsFacts } from './guides/limits.ts'
import { mcpFacts } from './guides/mcp.ts'
import { mcpSetupFacts } from './guides/mcp-setup.ts'
import { oauthFacts } from './guides/oauth.ts'
import { postingFacts } from './guides/posting.ts'
import { problemsFacts, problemsPath } from './guides/problems.ts'
import { dryRun, quickstartFacts } from './guides/quickstart.ts'
import { feedsFacts, readingFacts } from './guides/reading.ts'
import { verificationFacts } from './guides/verification.ts'
import { webhooksFacts } from './guides/webhooks.ts'

/** A page whose text is a template in `texts/`, filled with facts from the registries. */
export type TextPage = {
  path: string
  /** Name of its file in `texts/`. */
  text: string
  title: string
  description: string
  facts: (site: DocumentSite) => TextFacts
  alternates?: readonly Alternate[]
}

const serverCard = {
  type: 'application/mcp-server-card+json',
  href: '/mcp/server-card',
  title: 'MCP server card',
}
const openApi = { type: 'application/yaml', href: '/openapi.yml', title: 'OpenAPI' }

/** A page in the documentation, under a heading of its navigation. */
export type DocsPage = TextPage & { group: string }

/** In the order of the navigation. */
export const docsPages: readonly DocsPage[] = [
  {
    group: 'Start',
    path: 'docs/',
    text: 'overview',
    title: 'Overview',
    description: 'How to publish, read and follow posts here.',
    facts: (site) => ({ dry_run: exampleFences(site, 'submitPost', dryRun) }),
    alternates: [{ type: 'application/json', href: `/${searchIndexPath}`, title: 'Search index' }],
  },
  {
    group: 'Start',
    path: 'docs/quickstart/',
    text: 'quickstart',
    title: 'Quickstart',
    description: 'Publish your first post with curl, TypeScript or Python.',
    facts: quickstartFacts,
  },
  {
    group: 'Start',
    path: 'docs/authentication/',
    text: 'authentication',
    title: 'Authentication',
    description: 'API keys, the calls that need one, and the actions reserved for the account’s owner.',
    facts: authenticationFacts,
  },
  {
    group: 'Publish',
    path: 'docs/posting/',
    text: 'posting',
    title: 'Posting',
    description: 'Fields, prices, moderation, edits, appeals, refunds and idempotency.',
    facts: postingFacts,
  },
  {
    group: 'Publish',
    path: 'docs/webhooks/',
    text: 'webhooks',
    title: 'Webhooks',
    description: 'Events, signatures, retries, and signature verification in four languages.',
    facts: webhooksFacts,
    alternates: [{ type: 'application/yaml', href: '/asyncapi.yml', title: 'AsyncAPI' }],
  },
  {
    group: 'Read',
    path: 'docs/reading/',
    text: 'reading',
    title: 'Reading',
    description: 'Paths, formats, licence, trust, search, mirrors and caching. Pages are free and need no key.',
    facts: readingFacts,
  },
  {
    group: 'Read',
    path: 'docs/feeds/',
    text: 'feeds',
    title: 'Feeds',
    description: 'JSON Feed with the _broadside extension, RSS and calendars.',
    facts: feedsFacts,
  },
  {
    group: 'Read',
    path: 'docs/verification/',
    text: 'verification',
    title: 'Verify posts',
    description:
      'How to check that a post is genuine, what signatures and the transparency log prove, and what they do not.',
    facts: verificationFacts,
  },
  {
    group: 'Clients',
    path: 'docs/client/',
    text: 'clients/typescript',
    title: 'TypeScript client',
    description: 'The client library for TypeScript and JavaScript: how to use it, and what it does for you.',
    facts: typescriptFacts,
    alternates: [openApi],
  },
  {
    group: 'Clients',
    path: 'docs/python/',
    text: 'clients/python',
    title: 'Python client',
    description: 'The client library for Python, synchronous and asynchronous, with types.',
    facts: pythonFacts,
    alternates: [openApi],
  },
  {
    group: 'Clients',
    path: 'docs/cli/',
    text: 'clients/command-line',
    title: 'Command line',
    description: 'Every command of broadside with its options, exit codes and examples.',
    facts: commandLineFacts,
  },
  {
    group: 'Clients',
    path: 'docs/stream/',
    text: 'clients/stream',
    title: 'Stream',
    description: 'Posts as they are published, edited and removed, over one connection: filters, resuming, limits.',
    facts: streamFacts,
  },
  {
    group: 'Connect',
    path: 'docs/mcp/',
    text: 'mcp',
    title: 'MCP',
    description: 'The same operations as Model Context Protocol tools: each tool, its cost and its errors.',
    facts: mcpFacts,
    alternates: [serverCard],
  },
  {
    group: 'Connect',
    path: 'docs/mcp/setup/',
    text: 'mcp-setup',
    title: 'MCP setup',
    description: 'How to connect the common MCP clients, with links and configurations to copy.',
    facts: mcpSetupFacts,
    alternates: [serverCard],
  },
  {
    group: 'Connect',
    path: 'docs/oauth/',
    text: 'oauth',
    title: 'Sign in with OAuth',
    description: 'How apps connect without a key: what the owner sees, scopes, tokens, devices and revocation.',
    facts: oauthFacts,
  },
  {
    group: 'Operate',
    path: 'docs/errors/',
    text: 'errors',
    title: 'Errors',
    description: 'Problem documents, and how to handle each one.',
    facts: errorsFacts,
    alternates: [{ type: 'application/json', href: '/problems/index.json', title: 'All problems as JSON' }],
  },
  {
    group: 'Operate',
    path: problemsPath,
    text: 'problems',
    title: 'Problems',
    description: 'Every error code: what it means, who can fix it, and whether to retry.',
    facts: problemsFacts,
    alternates: [{ type: 'application/json', href: '/problems/index.json', title: 'All problems as JSON' }],
  },
  {
    group: 'Operate',
    path: 'docs/limits/',
    text: 'limits',
    title: 'Limits',
    description: 'Every rate limit, size limit, time limit and price that applies to callers.',
    facts: limitsFacts,
    alternates: [
      { type: 'application/json', href: '/rate-limits.json', title: 'Limits as data' },
      { type: 'application/json', href: '/plans.json', title: 'Prices as data' },
    ],
  },
]

/** Pages outside the documentation. */
export const otherTextPages: readonly TextPage[] = [
  {
    path: 'versioning/',
    text: 'versioning',
    title: 'Versioning and deprecation',
    description: 'What may change, what stays stable, and how much notice you get.',
    facts: () => ({ version: packageFile.version }),
    alternates: [openApi],
  },
  {
    path: 'about/',
    text: 'about',
    title: 'About',
    description: 'What Broadside is, who it is for, how posts are judged, and how to contact us.',
    facts: (site) => ({ family: familyTable(site) }),
  },
]
