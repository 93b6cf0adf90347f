import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ProblemDocument } from '../clients/typescript/src/problem.ts'
import openApi from '../generated/messages/openapi.json' with { type: 'json' }
import { type ProblemCode, problems } from '../src/contract/problems/problems.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const isProblemDocument = ajv.compile<ProblemDocument>(openApi.components.schemas.Problem)

export type Refusal = { status: number; contentType: string | null; body: string }

/** Fails unless this is a problem document that matches the catalog and its status line. */
export function assertProblem({ status, contentType, body }: Refusal, expected?: ProblemCode): ProblemCode {
  assert.equal(
    contentType,
    'application/problem+json',
    `status ${status} has content type ${contentType}: ${body.slice(0, 200)}`,
  )
  const document = JSON.parse(body)
  assert.ok(isProblemDocument(document), `${JSON.stringify(isProblemDocument.errors)} in ${body.slice(0, 500)}`)
  const { code } = document
  assert.equal(document.status, status)
  assert.equal(problems[code].status, status)
  assert.equal(document.title, problems[code].title)
  assert.ok(document.type.endsWith(`/problems/${code}`))
  assert.equal(document.error.code, code)
  assert.match(document.instance, /^[0-9a-f]{32}$/)
  if (expected) assert.equal(code, expected, body)
  return code
}

export async function refusalOf(response: Response): Promise<Refusal> {
  return { status: response.status, contentType: response.headers.get('content-type'), body: await response.text() }
}
