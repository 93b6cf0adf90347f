import { randomUUID } from 'node:crypto'
import { openConditionalWrites } from '../../../../platform/page-store/s3/conditional-writes.ts'
import type { S3Client } from '../../../../platform/page-store/s3/s3-client.ts'
import { type CheckFinding, problem } from '../../check.ts'

const policy =
  'Set a bucket policy that allows s3:GetObject to everybody and nothing else (docs/runbooks/object-store.md).'

/** Whether a bucket keeps what the page store relies on. Writes one object and deletes it. */
export async function checkBucket(client: S3Client): Promise<CheckFinding[]> {
  const key = `doctor/${randomUUID()}`
  try {
    return await checkObject(client, key)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return [
      problem(
        `The page store cannot be used: ${cause}.`,
        'Check PAGES_S3_ENDPOINT, PAGES_S3_BUCKET, PAGES_S3_REGION and the key, and its rights in the bucket.',
      ),
    ]
  }
}

async function checkObject(client: S3Client, key: string): Promise<CheckFinding[]> {
  await client.put(key, 'first', {})
  try {
    const writes = openConditionalWrites(client)
    const first = await writes.look(key)
    const write = (replaces: string | undefined) => writes.write(key, { body: 'second', headers: {}, replaces })
    const isVersioned = /<Status>Enabled</.test(
      String((await client.send({ method: 'GET', query: { versioning: '' } })).body),
    )
    const createdAgain = await write(undefined)
    const replaced = createdAgain === 'refused' ? await write(first?.etag) : 'unknown'
    const replacedAgain = typeof replaced === 'object' ? await write(first?.etag) : 'unknown'
    const readable = await client.send({ method: 'GET', key, isAnonymous: true })
    const listable = await client.send({ method: 'GET', query: { 'list-type': '2' }, isAnonymous: true })
    const turnOff = 'Create another bucket without versioning, set PAGES_S3_BUCKET, and run broadside rebuild.'
    return [
      ...(isVersioned
        ? [problem('The bucket of the pages has versioning, which keeps withdrawn posts.', turnOff)]
        : []),
      ...(createdAgain === 'refused' && typeof replaced === 'object' && replacedAgain === 'refused'
        ? []
        : [
            problem(
              'The object store ignores conditional writes, so a late worker could bring back a withdrawn post.',
              'Use an object store that supports If-None-Match and If-Match, in a bucket without versioning.',
            ),
          ]),
      ...(readable.status === 200
        ? []
        : [problem(`Readers cannot read the bucket of the pages (status ${readable.status}).`, policy)]),
      ...(listable.status === 200 ? [problem('Everybody can list the bucket of the pages.', policy)] : []),
    ]
  } finally {
    await client.delete(key)
  }
}
