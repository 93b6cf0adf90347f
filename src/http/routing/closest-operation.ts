import type { Operation } from '../../contract/define-operation.ts'
import { referenceAddress } from '../../contract/generators/reference-address.ts'
import type { OperationHint, ProblemMembers } from '../../contract/problems/problem.ts'
import { editDistance } from '../../contract/text/edit-distance.ts'
import { type HttpHost, isPathOf } from '../sites.ts'

type Asked = { method: string; path: string }

/** The operations at a path that exists, for a method that it does not have. */
export function operationsAt(place: HttpHost, { method, path }: Asked): ProblemMembers {
  const operations = place.operations.filter((operation) => isPathOf(operation, path))
  const closest = operations.toSorted((one, other) => methodCost(one, method) - methodCost(other, method))[0]
  if (!closest) return {}
  return { allowed: operations.map((one) => hint(place, one)), closest: hint(place, closest) }
}

/** The operation whose path is most like this one, on this site or on the site that the path names. */
export function closestOperation(
  places: readonly HttpHost[],
  place: HttpHost,
  { method, path }: Asked,
): ProblemMembers {
  const steps = stepsOf(path)
  if (steps.length === 0 || steps.length > 8) return {}
  const named = places.find(
    ({ isOwnerPage, site: { kind } }) => !isOwnerPage && steps.some((step) => isNameOf(kind, step)),
  )
  const host = place.isOwnerPage ? (places.find((one) => one.site === place.site && !one.isOwnerPage) ?? place) : place
  const at = named && !host.operations.some((one) => one.path.split('/')[2] === steps[0]) ? named : host
  const meant = steps.map((step) =>
    isKindName(places, step) && !isOwnPath(at, step)
      ? 'posts'
      : Object.hasOwn(otherSteps, step)
        ? String(otherSteps[step])
        : step,
  )
  const ranked = at.operations
    .filter(({ access }) => access !== 'owner')
    .map((operation) => ({ operation, cost: pathCost(operation, meant) + methodCost(operation, method) }))
    .sort((one, other) => one.cost - other.cost)
  const [first] = ranked
  return first && first.cost <= mostCost ? { closest: hint(at, first.operation) } : {}
}

const mostCost = 2.5

/** What others call our resources. */
const otherSteps: Readonly<Record<string, string>> = {
  ...{
    post: 'posts',
    message: 'posts',
    ad: 'posts',
    ads: 'posts',
    article: 'posts',
    articles: 'posts',
    listings: 'posts',
  },
  ...{
    me: 'account',
    user: 'account',
    users: 'accounts',
    profile: 'account',
    balance: 'account',
    register: 'accounts',
  },
  ...{ signup: 'accounts', hooks: 'webhooks', hook: 'webhooks', price: 'pricing', prices: 'pricing', health: 'status' },
  ...{ cities: 'places', locations: 'places', geocode: 'places', rules: 'policy', report: 'reports', find: 'search' },
}

/** The steps of the path without prefixes such as `/api` and `/v2`, in lower case. */
function stepsOf(path: string): string[] {
  const steps = path
    .slice(0, 300)
    .toLowerCase()
    .split('/')
    .map((step) => step.replace(/\.json$/, ''))
    .filter((step) => step !== '')
  while (/^(?:api|rest|v\d+)$/.test(steps[0] ?? '')) steps.shift()
  return steps
}

type KindOfSite = HttpHost['site']['kind']

const isNameOf = ({ name, site: { slug, plural } }: KindOfSite, step: string) => [name, slug, plural].includes(step)
const isKindName = (places: readonly HttpHost[], step: string) =>
  places.some(({ site: { kind } }) => isNameOf(kind, step))
const isOwnPath = (place: HttpHost, step: string) => place.operations.some(({ path }) => path.split('/')[2] === step)

/** The number of letters and steps to change, where a whole step counts one. */
function pathCost({ path }: Operation, steps: readonly string[]): number {
  const own = path.split('/').slice(2)
  let cost = Math.abs(own.length - steps.length)
  for (const [index, step] of own.slice(0, steps.length).entries()) {
    const given = steps[index] ?? ''
    if (step.startsWith('{')) cost += /[\d_]/.test(given) ? 0 : 1
    else if (step !== given) cost += editDistance(step, given, 2) <= Math.min(2, given.length / 3) ? 0.5 : 1.5
  }
  return cost
}

function methodCost(operation: Operation, method: string): number {
  if (operation.method === method || (method === 'HEAD' && operation.method === 'GET')) return 0
  return method === 'PUT' && operation.method === 'PATCH' ? 0.1 : 0.8
}

const hint = ({ site: { baseUrl } }: HttpHost, operation: Operation): OperationHint => ({
  method: operation.method,
  path: operation.path,
  url: `${baseUrl}${operation.path}`,
  docs: `${baseUrl}${referenceAddress(operation)}`,
})
