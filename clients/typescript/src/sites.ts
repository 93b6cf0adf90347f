import { operations } from './generated/operations.ts'
import type { Kind, Status } from './generated/types.ts'
import type { Transport } from './transport.ts'

/** The addresses of the four sites, asked for once. */
export class Sites {
  readonly #transport: Transport
  #known: Promise<Map<string, string>> | undefined

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The site of this kind; that of the client if the service does not name one. */
  async urlOf(kind: Kind): Promise<string> {
    return (await this.find(kind)) ?? this.#transport.settings.baseUrl
  }

  /** The site of this kind, if the service names one. */
  async find(kind: string): Promise<string | undefined> {
    this.#known ??= this.#ask()
    try {
      return (await this.#known).get(kind)
    } catch (error) {
      this.#known = undefined
      throw error
    }
  }

  async #ask(): Promise<Map<string, string>> {
    const { body } = await this.#transport.send<Status>({ facts: operations.getStatus, isKeyless: true })
    const { protocol } = new URL(this.#transport.settings.baseUrl)
    const sites = body.sites?.map(({ kind, url }) => [kind, url.replace(/\/$/, '')] as const)
    // The key must not leave over a connection that is less safe than the first.
    return new Map(sites?.filter(([, url]) => new URL(url).protocol === protocol))
  }
}
