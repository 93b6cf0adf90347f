import { byKey } from '../../src/mcp/http-adapter.ts'
import { mistakes } from '../../test/support/http/mistakes.ts'
import { prepareScene, send } from '../../test/support/http/send-mistake.ts'
import { startService } from '../../tooling/environment/service.ts'

if (process.argv.includes('--help'))
  console.log('Usage: npm run mistakes\n\nPrints plausible wrong requests with their responses as Markdown.')
else await print()

async function print() {
  await using service = await startService({ commonMcp: { authentication: byKey } })
  const scene = await prepareScene(service)
  const known = [
    ...Object.entries(service.baseUrls).map(([kind, url]) => [String(url), `https://${kind}.example`] as const),
    [service.accountPageUrl, 'https://account.example'] as const,
    [scene.apiKey, '<API key>'] as const,
  ]
  const shown = (value: unknown) =>
    known.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(value, null, 2) ?? '')
  console.log('# Mistakes and what the service answers\n')
  for (const [index, mistake] of mistakes.entries()) {
    const sent = mistake.send(scene)
    const { status, body } = await send(service, sent, scene)
    console.log(`## ${index + 1}. ${mistake.name}\n\nSent:\n\n\`\`\`json\n${shown(sent)}\n\`\`\`\n`)
    console.log(`Response ${status}:\n\n\`\`\`json\n${shown(body)}\n\`\`\`\n`)
  }
}
