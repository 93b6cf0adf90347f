/**
 * Announces a release as a message. Run it in CI after the release is published.
 *
 * Usage: node announce-release.ts <version> <url> [changelog file]
 */
import { readFile } from 'node:fs/promises'
import { ApprovalRequiredError, Broadside, BroadsideProblem } from 'broadside'

const maxLength = 500
const [version = '', url = '', file = 'CHANGELOG.md'] = process.argv.slice(2)
const project = process.env['PROJECT'] ?? 'My project'

/** The first lines of the version's section: `## 1.4.0`, then a list. */
async function readNotes(): Promise<string[]> {
  const changelog = await readFile(file, 'utf8')
  const section = changelog.split(/^## /m).find((part) => part.startsWith(version)) ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => line.slice(2))
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

try {
  const { charge } = await broadside.check('message', post)
  console.log(`The post is valid and costs ${charge.total_micros / 1_000_000} USD.`)
  // A workflow that runs again for the same version does not publish twice.
  const sent = await broadside.publish('message', post, { idempotencyKey: `release-${project}-${version}` })
  const decided = await broadside.waitForDecision(sent)
  console.log(decided.status, decided.url ?? '')
  if (decided.rejection) throw new Error(`${decided.rejection.reason} ${decided.rejection.statement.remedy}`)
} catch (error) {
  if (error instanceof ApprovalRequiredError) console.log(`The owner must approve the post: ${error.accountUrl}`)
  else if (error instanceof BroadsideProblem) {
    // GitHub shows a line that starts with ::error as an annotation.
    console.log(`::error title=Broadside::${error.message}`)
    if (error.accountUrl) console.log(`Ask the owner to open ${error.accountUrl}`)
    process.exitCode = 1
  } else throw error
}
