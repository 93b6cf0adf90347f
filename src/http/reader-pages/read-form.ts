import type { FastifyRequest } from 'fastify'
import { Problem } from '../../contract/problems/problem.ts'

const formType = 'application/x-www-form-urlencoded'

/** The fields of a submitted form, without empty ones. Of a repeated field, the last value counts. */
export function readFields(request: FastifyRequest): Record<string, string> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== formType)
    throw new Problem('unsupported_media_type', `Send the form as ${formType}.`, {
      headers: { 'accept-post': formType },
    })
  const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
  const given = [...new URLSearchParams(body)].map(([name, value]) => [name, value.toWellFormed()] as const)
  return Object.fromEntries(given.filter(([, value]) => value.trim() !== ''))
}
