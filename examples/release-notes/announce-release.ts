/**
 * Announces a release as a message. Run it in CI after the release is published.
 *
 * Usage: node announce-release.ts <version> <url> [changelog file]
 */
import { readFile } from 'node:fs/promises'
import { ApprovalRequiredError, Broadside, BroadsideProblem, IdempotencyKeyReusedError } from 'broadside'

const maxLength = 500
const [tag, url, file = 'CHANGELOG.md'] = process.argv.slice(2)
if (!tag || !url) {
  console.error('Usage: node announce-release.ts <version> <url> [changelog file]')
  process.exit(2)
}
const version = tag.replace(/^v/, '')
const project = process.env['PROJECT'] ?? 'My project'

/** The list of the version's section: `## 1.4.0` or `## [1.4.0] - 2026-11-18`, then lines that start with a hyphen. */
async function readNotes(): Promise<string[]> {
  const changelog = await readFile(file, 'utf8')
  const sections = changelog.split(/^## /m)
  const section = sections.find((part) => part.match(/[\w.+-]+/)?.[0].replace(/^v/, '') === version) ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('- '))
  return lines.map((line) => line.slice(2))
}

/** As many notes as fit, and the link at the end. */
function writeText(notes: readonly string[]): string {
  const ending = `\n\n${url}`
  let text = `${project} ${version} is released.`
  for (const note of notes) {
    const longer = `${text}\n• ${note}`
    if (longer.length + ending.length > maxLength) break
    text = longer
  }
  return text + ending
}

// Reads BROADSIDE_URL and BROADSIDE_API_KEY.
const broadside = new Broadside()
const post = { text: writeText(await readNotes()), topics: ['releases', 'software'] }
// A workflow that runs again for the same version does not publish twice.
const idempotencyKey = encodeURIComponent(`release-${project}-${version}`)

try {
  const sent = await broadside.publish('message', post, { idempotencyKey })
  const { status, url: page, charged_micros, rejection } = await broadside.waitForDecision(sent)
  console.log(status, page ?? '', `for ${charged_micros / 1_000_000} USD`)
  if (rejection) {
    // GitHub shows a line that starts with ::error as an annotation.
    console.log(`::error title=The post was rejected::${rejection.reason}`)
    process.exitCode = 1
  }
} catch (error) {
  if (error instanceof IdempotencyKeyReusedError) console.log('This version is announced already, with other notes.')
  else if (error instanceof ApprovalRequiredError) console.log(`The owner must approve the post: ${error.accountUrl}`)
  else if (error instanceof BroadsideProblem) {
    console.log(`::error title=Broadside::${error.message}`)
    if (error.accountUrl) console.log(`Ask the owner to open ${error.accountUrl}`)
    process.exitCode = 1
  } else throw error
}
