import type { Answer, CallOptions } from './call.ts'
import { ApprovalRequiredError, BroadsideError } from './errors.ts'
import { operations } from './generated/operations.ts'
import type {
  Draft,
  DraftAnswer,
  DryRun,
  EditBody,
  GetPostAnswer,
  Kind,
  PostBody,
  PostStatus,
  PublicPost,
} from './generated/types.ts'
import { isProblem } from './problem.ts'
import type { Sites } from './sites.ts'
import type { Call, Transport } from './transport.ts'

/** An answer, and the site that gave it. */
export type Located<Body> = Answer<Body> & { baseUrl: string | undefined }

/** Submitting and reading posts at the site of their kind. */
export class Posts {
  readonly #transport: Transport
  readonly #sites: Sites

  constructor(transport: Transport, sites: Sites) {
    this.#transport = transport
    this.#sites = sites
  }

  async publish<K extends Kind>(kind: K, body: PostBody[K], options?: CallOptions): Promise<PostStatus> {
    const answer = await this.#submit<PostStatus | DraftAnswer>(kind, body, {}, options)
    if ('draft' in answer) throw new ApprovalRequiredError(answer.draft, answer.account_url)
    return answer
  }

  check<K extends Kind>(kind: K, body: PostBody[K], options?: CallOptions): Promise<DryRun> {
    return this.#submit<DryRun>(kind, body, { dry_run: 'true' }, options)
  }

  async schedule<K extends Kind>(kind: K, body: PostBody[K], at: Date | string, options?: CallOptions): Promise<Draft> {
    const publish_at = typeof at === 'string' ? at : at.toISOString()
    return (await this.#submit<DraftAnswer>(kind, body, { publish_at }, options)).draft
  }

  async edit<K extends Kind>(kind: K, id: string, body: EditBody[K], options?: CallOptions): Promise<PostStatus> {
    const baseUrl = await this.#sites.urlOf(kind, options?.signal)
    return (await this.#follow<PostStatus>({ facts: operations.editPost, params: [id], body, options, baseUrl })).body
  }

  async delete(id: string, options?: CallOptions): Promise<PostStatus> {
    return (await this.#follow<PostStatus>({ facts: operations.deletePost, params: [id], options })).body
  }

  async read(id: string, options?: CallOptions): Promise<PublicPost[Kind]> {
    // With the key of its author, the service would answer with the status record.
    const call = { facts: operations.getPost, params: [id], options, isKeyless: true }
    return (await this.#follow<PublicPost[Kind]>(call)).body
  }

  async status(id: string, options?: CallOptions, baseUrl?: string): Promise<Located<PostStatus>> {
    const answer = await this.#follow<GetPostAnswer>({ facts: operations.getPost, params: [id], options, baseUrl })
    if ('status' in answer.body) return answer as Located<PostStatus>
    throw new BroadsideError(`${id} is not a post of this account, so it has no status record. Use read().`)
  }

  async #submit<Body>(kind: Kind, body: unknown, query: object, options?: CallOptions): Promise<Body> {
    const baseUrl = await this.#sites.urlOf(kind, options?.signal)
    return (await this.#transport.send<Body>({ facts: operations.submitPost, body, query, options, baseUrl })).body
  }

  /** Repeats a call at the post's own site if the first site says which kind the post has. */
  async #follow<Body>(call: Call): Promise<Located<Body>> {
    try {
      return { ...(await this.#transport.send<Body>(call)), baseUrl: call.baseUrl }
    } catch (error) {
      const kind = isProblem(error, 'post_not_found') ? error.document.kind : undefined
      // Only a site that the service lists gets the key, never an address in an error.
      const baseUrl = kind === undefined ? undefined : await this.#sites.find(kind, call.options?.signal)
      if (!baseUrl || baseUrl === (call.baseUrl ?? this.#transport.settings.baseUrl)) throw error
      return { ...(await this.#transport.send<Body>({ ...call, baseUrl })), baseUrl }
    }
  }
}
