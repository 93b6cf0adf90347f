import type { CallOptions } from './call.ts'
import { operations } from './generated/operations.ts'
import type {
  BrowseQuery,
  Delivery,
  Draft,
  DraftList,
  DryRun,
  EditBody,
  EventList,
  Kind,
  ListDeliveriesQuery,
  ListDraftsQuery,
  ListEventsQuery,
  ListMyPostsQuery,
  OwnPostList,
  PostBody,
  PostStatus,
  PublicPost,
  SearchPostsQuery,
  SearchResults,
} from './generated/types.ts'
import { BroadsideOperations } from './operations.ts'
import { type BroadsideOptions, checkMs, settingsFrom } from './options.ts'
import { itemsOf } from './pages.ts'
import { Posts } from './posts.ts'
import { Sites } from './sites.ts'
import {
  cursorNow,
  type OwnStreamEvent,
  type OwnStreamOptions,
  type StreamEvent,
  type StreamOptions,
  streamFrom,
} from './stream.ts'
import { Transport } from './transport.ts'
import { type WaitOptions, waitUntilDecided } from './wait.ts'

type Items<Item> = AsyncGenerator<Item, void, undefined>
/**
 * A client for all four sites. It has a method for every operation of the API, which returns the body of the response,
 * and the methods below. It retries when a retry cannot repeat an effect, and throws a BroadsideProblem when the
 * service refuses a request.
 */
export class Broadside extends BroadsideOperations {
  readonly #transport: Transport
  readonly #sites: Sites
  readonly #posts: Posts

  constructor(options: BroadsideOptions = {}) {
    const transport = new Transport(settingsFrom(options))
    super(transport)
    this.#transport = transport
    this.#sites = new Sites(transport)
    this.#posts = new Posts(transport, this.#sites)
  }

  /** The address of the site for this kind of post. */
  siteUrl(kind: Kind): Promise<string> {
    return this.#sites.urlOf(kind)
  }

  /** Submits a post at the site of its kind. Throws ApprovalRequiredError if the owner must approve it first. */
  publish<K extends Kind>(kind: K, body: PostBody[K], options?: CallOptions): Promise<PostStatus> {
    return this.#posts.publish(kind, body, options)
  }

  /** Submits a post at a later time, at most 30 days ahead. Until then it is a draft. */
  schedule<K extends Kind>(
    kind: K,
    body: PostBody[K],
    publishAt: Date | string,
    options?: CallOptions,
  ): Promise<Draft> {
    return this.#posts.schedule(kind, body, publishAt, options)
  }

  /** Validates and prices a post without submitting it. */
  check<K extends Kind>(kind: K, body: PostBody[K], options?: CallOptions): Promise<DryRun> {
    return this.#posts.check(kind, body, options)
  }

  /** The status record of your own post, at whichever site it is. */
  async status(id: string, options?: CallOptions): Promise<PostStatus> {
    return (await this.#posts.status(id, options)).body
  }

  /** The public post, at whichever site it is. */
  read(id: string, options?: CallOptions): Promise<PublicPost[Kind]> {
    return this.#posts.read(id, options)
  }

  /** Edits a published post. It stays as it is until the edit is accepted. */
  edit<K extends Kind>(kind: K, id: string, changes: EditBody[K], options?: CallOptions): Promise<PostStatus> {
    return this.#posts.edit(kind, id, changes, options)
  }

  /** Deletes your post, at whichever site it is. */
  delete(id: string, options?: CallOptions): Promise<PostStatus> {
    return this.#posts.delete(id, options)
  }

  /** Waits until a post is decided, and returns its status record. Throws WaitTimeoutError. */
  waitForDecision(post: string | PostStatus, options: WaitOptions = {}): Promise<PostStatus> {
    const first = typeof post === 'string' ? undefined : post
    const id = typeof post === 'string' ? post : post.id
    const read = async (baseUrl: string | undefined, signal: AbortSignal) => {
      const site = baseUrl ?? (first && (await this.#sites.urlOf(first.kind as Kind, signal)))
      return this.#posts.status(id, { signal }, site)
    }
    return waitUntilDecided(read, first, options)
  }

  /** Published posts of a kind, newest first. */
  posts<K extends Kind>(kind: K, query: BrowseQuery[K] = {}, options?: CallOptions): Items<PublicPost[K]> {
    const facts = operations.browsePosts
    const list = async (query: object) => {
      const baseUrl = await this.#sites.urlOf(kind, options?.signal)
      const call = { facts, query, options, baseUrl }
      return (await this.#transport.send<{ data: PublicPost[K][]; next_cursor: string | null }>(call)).body
    }
    return itemsOf(list, query)
  }

  /** Your posts on all sites in every status, newest first. */
  myPosts(query: ListMyPostsQuery = {}, options?: CallOptions): Items<OwnPostList['data'][number]> {
    return itemsOf((query) => this.listMyPosts(query, options), query)
  }

  /** Your events, oldest first, until there are no later ones. */
  events(query: ListEventsQuery = {}, options?: CallOptions): Items<EventList['data'][number]> {
    return itemsOf((query) => this.listEvents(query, options), query, 'after')
  }

  /** Results of a search over all sites. Each page of results is a search of its own and may be charged. */
  search(query: SearchPostsQuery, options?: CallOptions): Items<SearchResults['data'][number]> {
    return itemsOf((query) => this.searchPosts(query, options), query)
  }

  drafts(query: ListDraftsQuery = {}, options?: CallOptions): Items<DraftList['data'][number]> {
    return itemsOf((query) => this.listDrafts(query, options), query)
  }

  /** Deliveries of a webhook endpoint. */
  deliveries(id: string, query: ListDeliveriesQuery = {}, options?: CallOptions): Items<Delivery> {
    return itemsOf((query) => this.listDeliveries(id, query, options), query)
  }

  /**
   * Posts as they are published, edited and withdrawn. It reconnects by itself and continues after the last event. Ends
   * when you leave the loop; throws when you abort the signal, and CursorExpiredError if `after` is too old.
   */
  stream(options: OwnStreamOptions): Items<OwnStreamEvent>
  stream<K extends Kind | 'all'>(options?: StreamOptions<K>): Items<StreamEvent<K>>
  async *stream(options: StreamOptions | OwnStreamOptions = {}): AsyncGenerator<unknown, void, undefined> {
    yield* streamFrom(await this.#streamSource(options))
  }

  /**
   * The cursor at the current end of the stream. To miss nothing, read it first, then a list, and then follow the stream
   * after the cursor.
   */
  async streamCursor(options: { kind?: Kind | 'all'; scope?: 'public' | 'mine'; signal?: AbortSignal } = {}) {
    return cursorNow(await this.#streamSource(options as StreamOptions))
  }

  async #streamSource(options: StreamOptions | OwnStreamOptions) {
    const { after, signal, heartbeatTimeoutMs = 45_000, ...query } = options as StreamOptions<'all'>
    checkMs('heartbeatTimeoutMs', heartbeatTimeoutMs)
    const control = { after, signal, heartbeatTimeoutMs }
    const kind = query.kind as Kind | 'all' | undefined
    const isOfOneSite = kind !== undefined && kind !== 'all'
    const baseUrl = isOfOneSite ? await this.#sites.urlOf(kind, signal) : this.#transport.settings.baseUrl
    return { transport: this.#transport, baseUrl, query, control }
  }
}
