import { Problem } from '../contract/problems/problem.ts'
import { pointerTo } from '../contract/problems/validation-errors.ts'

const json = 'application/json'

/** Throws not_acceptable if the caller does not accept JSON. Ignores invalid media ranges. */
export function assertAcceptsJson(accept: string | undefined): void {
  if (accept === undefined || accept.trim() === '') return
  const ranges = accept.split(',').map((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { type, isRefused: quality !== undefined && Number(quality) === 0 }
  })
  const specific = ranges.filter(({ type }) => type === json || type === 'application/problem+json')
  const general = ranges.filter(({ type }) => type === '*/*' || type === 'application/*')
  const deciding = specific.length > 0 ? specific : general
  if (deciding.some(({ isRefused }) => !isRefused)) return
  throw new Problem('not_acceptable', 'This operation returns application/json.')
}

/** The query parameters by name. Throws on a repeated parameter, because its value would be ambiguous. */
export function parseQuery(url: string): Record<string, string> {
  const start = url.indexOf('?')
  const search = start < 0 ? '' : url.slice(start + 1)
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(search)) {
    if (name in query)
      throw new Problem('invalid_query', 'A query parameter is repeated.', {
        members: { errors: [{ pointer: pointerTo([name]), detail: 'must appear only once' }] },
      })
    query[name] = value
  }
  return { ...query }
}
