import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { answersNothing } from '../../src/contract/define-operation.ts'
import { exampleDeployment, siteDocuments } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { startService } from '../../tooling/environment/service.ts'

test('every operation and every problem in the contract has an example that fits its schema', () => {
  const documents = siteDocuments(exampleDeployment)
  for (const kind of kinds) {
    const openApi = JSON.parse(String(documents.get(`${kind.site.slug}/openapi.json`)))
    const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: [{ ...openApi, $id: 'openapi' }] })
    const fits = (reference: string, example: unknown) =>
      assert.ok(ajv.validate({ $ref: `openapi#${reference}` }, example), reference)
    for (const { id, path, method, successStatus, body, answersStream } of operationsOf(kind).filter(
      (one) => !answersNothing(one),
    )) {
      const place = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`
      const operation = openApi.paths[path][method.toLowerCase()]
      // For a stream, the schema and the example of an event's data.
      const type = answersStream ? 'text/event-stream' : 'application/json'
      const answer = operation.responses[successStatus].content[type]
      assert.ok(answer.example, id)
      fits(`${place}/responses/${successStatus}/content/${type.replace('/', '~1')}/schema`, answer.example)
      if (body)
        fits(
          `${place}/requestBody/content/application~1json/schema`,
          operation.requestBody.content['application/json'].example,
        )
    }
    for (const { value } of Object.values(openApi.components.examples) as { value: unknown }[])
      fits('/components/schemas/Problem', value)
  }
})

test('the published limit headers are described on every response that has them', () => {
  const openApi = JSON.parse(String(siteDocuments(exampleDeployment).get('messages/openapi.json')))
  type Responses = Record<string, { headers?: Record<string, unknown> }>
  const fields = (responses: Responses) =>
    Object.keys(responses).filter((status) => {
      const { RateLimit, 'RateLimit-Policy': policy } = responses[status]?.headers ?? {}
      return RateLimit && policy
    })
  assert.deepEqual(fields(openApi.paths['/v1/search'].get.responses), ['200', '402', '429'])
  assert.deepEqual(fields(openApi.paths['/v1/reports'].post.responses), [])
  assert.ok(openApi.paths['/v1/reports'].post.responses['429'])
})

test('each site serves its own contract with its own addresses, directly from the gateway', async () => {
  await using service = await startService({ documents: true })
  await service.api.close()
  for (const kind of kinds) {
    const baseUrl = String(service.baseUrls[kind.name])
    const response = await fetch(`${baseUrl}/openapi.json`)
    assert.equal(response.status, 200)
    const document = (await response.json()) as { servers: { url: string }[] }
    assert.equal(document.servers[0]?.url, baseUrl)
    const yaml = await fetch(`${baseUrl}/openapi.yml`)
    assert.equal(yaml.headers.get('content-type'), 'application/yaml')
    for (const path of ['/problems/index.json', '/plans.json', '/rate-limits.json', '/policy.json'])
      assert.equal((await fetch(`${baseUrl}${path}`)).status, 200, path)
  }
})
