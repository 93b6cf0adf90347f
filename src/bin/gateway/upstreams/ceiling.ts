import type { KeyObject } from 'node:crypto'
import { lines, quote, quotePlain, renderPart } from '../template.ts'
import { renderHosts } from './servers.ts'

/** The gateways that share one ceiling. */
export type SharedCeiling = {
  /** Where this one counts, as host:port that only the gateways can reach. */
  listen: string
  /** The same place of every gateway, in the same order everywhere. */
  servers: readonly string[]
}

type Counting = SharedCeiling & { requestsPerSecond: number; burst: number; secrets: readonly KeyObject[] }

/** For the http block: the server that counts, and how to reach the one that counts now. */
export const renderCeiling = ({ listen, servers, requestsPerSecond, burst, secrets }: Counting) =>
  renderPart('ceiling', {
    listen: quote(listen),
    servers: renderHosts(servers),
    requests_per_second: requestsPerSecond,
    pass: renderPart('ceiling-pass', { burst }),
    // While the secret is rotated, gateways send the old or the new one.
    secrets: lines(secrets, (secret) => `${quotePlain(`~^${escaped(secret.export().toString())}$`)} 1;`),
  })

/** How a location passes a request to the API. */
export const apiUpstream = (ceiling: SharedCeiling | undefined) =>
  ceiling
    ? {
        upstream: 'ceiling',
        // Looked up here, where the address is that of the request: later it is that of an answer.
        before_ceiling: 'set $too_many_here $too_many;\nset $unavailable_now $unavailable;',
      }
    : { upstream: 'api', before_ceiling: '' }

export const ceilingAnswers = (ceiling: SharedCeiling | undefined) => (ceiling ? renderPart('ceiling-answers') : '')

const escaped = (text: string) => text.replaceAll(/[^\w]/g, '\\$&')
