import type { Seed } from './seed.ts'

/** The same for the clients. Types that both the API and the clients have are changed in the clients alone. */
export const breakingClientSeeds: Seed[] = [
  {
    name: 'TypeScript: an export is removed',
    typescript: ['index.d.ts', 'WaitTimeoutError, ', ''],
    changes: ['typescript: broadside.WaitTimeoutError: removed'],
  },
  {
    name: 'TypeScript: a method is removed',
    typescript: ['broadside.d.ts', 'read(id: string, options?: CallOptions): Promise<PublicPost[Kind]>;', ''],
    changes: ['typescript: Broadside.read: removed'],
  },
  {
    name: 'TypeScript: a parameter of a method becomes required',
    typescript: [
      'broadside.d.ts',
      'status(id: string, options?: CallOptions)',
      'status(id: string, options: CallOptions)',
    ],
    changes: ['typescript: Broadside.status(options): now required'],
  },
  {
    name: 'TypeScript: a method needs another parameter',
    typescript: ['broadside.d.ts', 'delete(id: string, options', 'delete(id: string, reason: string, options'],
    changes: [
      'typescript: Broadside.delete(options): position 2 → 3',
      'typescript: Broadside.delete(reason): added, required',
    ],
  },
  {
    name: 'TypeScript: an option accepts less',
    typescript: ['options.d.ts', 'baseUrl?: string | URL | undefined', 'baseUrl?: string | undefined'],
    changes: ['typescript: BroadsideOptions.baseUrl: URL removed'],
  },
  {
    name: 'TypeScript: a result may be missing',
    typescript: [
      'broadside.d.ts',
      'siteUrl(kind: Kind): Promise<string>',
      'siteUrl(kind: Kind): Promise<string | undefined>',
    ],
    changes: ['typescript: Broadside.siteUrl()<1>: undefined added'],
  },
  {
    name: 'TypeScript: a field of a result is removed',
    typescript: ['call.d.ts', 'requestId: string | null;', ''],
    changes: ['typescript: Answer.requestId: removed'],
  },
  {
    name: 'Python: a function is removed',
    python: ['__init__.py', 'from ._core.webhooks import verify_webhook as verify_webhook\n', ''],
    changes: ['python: broadside.verify_webhook: removed'],
  },
  {
    name: 'Python: a parameter is renamed',
    python: ['_core/webhooks.py', '    raw_body: Union', '    payload: Union'],
    changes: [
      'python: broadside.verify_webhook(raw_body): removed',
      'python: broadside.verify_webhook(payload): added, required',
    ],
  },
  {
    name: 'Python: a parameter becomes required',
    python: ['_client.py', 'timeout: float = DEFAULT_WAIT, through_review', 'timeout: float, through_review'],
    changes: ['python: Broadside.wait_for_decision(timeout): now required'],
  },
  {
    name: 'Python: a parameter accepts less',
    python: ['_client.py', 'self, post: Union[str, PostStatus], *', 'self, post: str, *'],
    changes: ['python: Broadside.wait_for_decision(post): PostStatus removed'],
  },
  {
    name: 'Python: a class is removed',
    python: ['errors.py', 'from ._core.errors import WaitTimeoutError as WaitTimeoutError\n', ''],
    changes: ['python: broadside.WaitTimeoutError: removed', 'python: broadside.errors.WaitTimeoutError: removed'],
  },
  {
    name: 'Python: an error has another base',
    python: [
      '_core/errors.py',
      'class BroadsideTimeoutError(BroadsideConnectionError)',
      'class BroadsideTimeoutError(BroadsideError)',
    ],
    changes: ['python: BroadsideTimeoutError: no longer a BroadsideConnectionError'],
  },
  {
    name: 'Python: a method becomes asynchronous',
    python: ['_client.py', '    def delete(self', '    async def delete(self'],
    changes: ['python: Broadside.delete(): type object → Coroutine'],
  },
]
