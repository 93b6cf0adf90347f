import { BroadsideError } from './errors.ts'
import { operations } from './generated/operations.ts'
import type { Kind, Status } from './generated/types.ts'
import { unlessAborted } from './retry.ts'
import type { Transport } from './transport.ts'

/** The addresses of the four sites, asked for once. */
export class Sites {
  readonly #transport: Transport
  #known: Promise<Map<string, string>> | undefined

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The site of this kind; that of the client if the service lists none at all. */
  async urlOf(kind: Kind, signal?: AbortSignal): Promise<string> {
    const url = await this.find(kind, signal)
    if (url) return url
    if ((await this.#sites()).size > 0) throw new BroadsideError(`The service lists no site for ${kind}.`)
    return this.#transport.settings.baseUrl
  }

  /** The site of this kind, if the service lists one. */
  async find(kind: string, signal?: AbortSignal): Promise<string | undefined> {
    const url = (await unlessAborted(this.#sites(), signal)).get(kind)
    // The key must not leave over a connection that is less safe than the first.
    if (url && !isSafe(url) && isSafe(this.#transport.settings.baseUrl))
      throw new BroadsideError(`The service lists an address without https for ${kind}. The client does not use it.`)
    return url
  }

  /** All callers share one request, so none of them aborts it. */
  #sites(): Promise<Map<string, string>> {
    this.#known ??= this.#ask().catch((error) => {
      this.#known = undefined
      throw error
    })
    return this.#known
  }

  async #ask(): Promise<Map<string, string>> {
    const { body } = await this.#transport.send<Status>({ facts: operations.getStatus, isKeyless: true })
    return new Map(body.sites?.map(({ kind, url }) => [kind, url.replace(/\/$/, '')]))
  }
}

const isSafe = (url: string): boolean => /^https:/i.test(url)
