import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { deploymentFrom, deploymentSettings } from '../../../documents/deployment.ts'
import { bySite } from '../../../documents/write-documents.ts'
import { kinds } from '../../../kinds/index.ts'
import { openPages } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { openConditionalWrites } from '../../../platform/page-store/s3/conditional-writes.ts'
import type { S3Client } from '../../../platform/page-store/s3/s3-client.ts'
import { missingFonts } from '../../../publishing/cards/fonts.ts'
import { askService, localAddress } from '../ask.ts'
import { asRoot, type Context, canTell, codeOf, must, type Probe, should } from '../probe.ts'
import { mayUse, modeOf } from '../programs.ts'

export const pagesProbe: Probe = {
  name: 'pages',
  expects: 'the workers can write the pages, and readers can read them',
  look: async (context) => {
    const settings = context.read([...pagesSettings, 'SERVICE_USER', 'GATEWAY_USER', 'SITES'])
    const { PAGES_DIRECTORY: directory, SERVICE_USER: worker, GATEWAY_USER: gateway } = settings
    if (settings.PAGES_STORE === 's3') {
      await using pages = openPages(pagesPlaceFrom(settings))
      return pages.client ? await examineBucket(pages.client) : []
    }
    const create = `install -d -o ${worker} -m 755 ${directory} && ${context.broadside('documents')} && ${context.broadside('rebuild')}`
    const mode = modeOf(directory)
    if (mode === 'EACCES')
      return [canTell(false, `This user cannot enter the folder above ${directory}.`, asRoot(context))]
    if (mode === 'ENOENT') return [must(false, `The directory ${directory} does not exist.`, create)]
    const isOpen = `Every user can write to ${directory}: its mode is ${mode.toString(8)}.`
    const isOurs = must((mode & 0o002) === 0, isOpen, `chmod 755 ${directory}`)
    // Outside production everything runs as the current user.
    if (!context.isProduction) return [isOurs]
    const own = `chown -R ${worker}: ${directory}`
    const site = kinds.find(({ name }) => name in settings.SITES)?.site.slug ?? ''
    const readable = `chmod -R o+rX ${directory}, and let ${gateway} enter the folders above: namei -l ${directory}`
    return [
      isOurs,
      ...(await mayUseAll(context, worker, [directory, join(directory, '.trees')], '-w', own)),
      ...(await mayUseAll(context, gateway, [directory, join(directory, site, 'robots.txt.gz')], '-r', readable)),
    ]
  },
}

/** Whether a user may read or write these folders, as far as they are there. */
export async function mayUseAll(context: Context, user: string, folders: string[], flag: '-r' | '-w', fix: string) {
  const found = []
  for (const folder of folders.filter((path) => modeOf(path) !== 'ENOENT')) {
    const may = await mayUse(context, user, folder, flag)
    const verb = flag === '-r' ? 'read' : 'write to'
    found.push(
      canTell(may !== undefined, `Only root can tell whether ${user} can ${verb} ${folder}.`, asRoot(context)),
      must(may !== false, `The user ${user} cannot ${verb} ${folder}.`, fix),
    )
  }
  return found
}

/** Whether a bucket keeps what the page store relies on. Writes one object and deletes it. */
export async function examineBucket(client: S3Client) {
  const key = `doctor/${randomUUID()}`
  try {
    await client.put(key, 'first', {})
    const writes = openConditionalWrites(client)
    const first = await writes.look(key)
    const write = (replaces: string | undefined) => writes.write(key, { body: 'second', headers: {}, replaces })
    const { body } = await client.send({ method: 'GET', query: { versioning: '' } })
    const createdAgain = await write(undefined)
    const replaced = createdAgain === 'refused' ? await write(first?.etag) : 'unknown'
    const replacedAgain = typeof replaced === 'object' ? await write(first?.etag) : 'unknown'
    const readable = await client.send({ method: 'GET', key, isAnonymous: true })
    const listable = await client.send({ method: 'GET', query: { 'list-type': '2' }, isAnonymous: true })
    const other = 'Create another bucket without versioning, set PAGES_S3_BUCKET, and run broadside rebuild.'
    const policy =
      'Set a bucket policy that allows s3:GetObject to everybody and nothing else (docs/runbooks/object-store.md).'
    return [
      must(
        !/<Status>Enabled</.test(String(body)),
        'The bucket of the pages has versioning, which keeps withdrawn posts.',
        other,
      ),
      must(
        replacedAgain === 'refused',
        'The object store ignores conditional writes, so a late worker could bring back a withdrawn post.',
        'Use an object store that supports If-None-Match and If-Match, in a bucket without versioning.',
      ),
      must(readable.status === 200, `Readers cannot read the bucket of the pages (status ${readable.status}).`, policy),
      must(listable.status !== 200, 'Everybody can list the bucket of the pages.', policy),
    ]
  } catch (error) {
    const keys = 'Check PAGES_S3_ENDPOINT, PAGES_S3_BUCKET, PAGES_S3_REGION and the key, and its rights in the bucket.'
    return [must(false, `The page store cannot be used: ${(error as Error).message}.`, keys)]
  } finally {
    await client.delete(key).catch(() => {})
  }
}

/** security.txt contains the time when it was written. */
const dated = /security\.txt$/
const fewestDays = 30

export const documentsProbe: Probe = {
  name: 'documents',
  expects: 'the documents of every site are there and current',
  look: async (context) => {
    const now = context.clock.now()
    const deployment = deploymentFrom(context.read(deploymentSettings), now)
    // Imported here because rendering loads most of the program.
    const { allDocuments } = await import('../../../documents/all-documents.ts')
    await using pages = openPages(pagesPlaceFrom(context.read(pagesSettings)))
    const missing: string[] = []
    const old: string[] = []
    const hidden: string[] = []
    for (const [site, own] of bySite(allDocuments(deployment))) {
      const store = pages.siteReader(site)
      for (const [path, content] of own) {
        const found = await store.read(path).catch((error) => codeOf(error))
        const name = `${site}/${path}`
        if (found === 'EACCES') hidden.push(name)
        else if (!Buffer.isBuffer(found)) missing.push(name)
        else if (dated.test(path) ? daysLeft(found, now) < fewestDays : !found.equals(Buffer.from(content)))
          old.push(name)
      }
    }
    const list = (paths: readonly string[]) => `${paths.length} (such as ${paths[0]})`
    const write = context.broadside('documents')
    return [
      canTell(hidden.length === 0, `This user cannot read the pages: ${list(hidden)}.`, asRoot(context)),
      must(missing.length === 0, `Documents are missing: ${list(missing)}.`, write),
      should(old.length === 0, `Documents are from another version or other settings: ${list(old)}.`, write),
    ]
  },
}

function daysLeft(file: Buffer, now: Date): number {
  const expires = /^Expires: (.+)$/m.exec(file.toString())?.[1]
  return (new Date(expires ?? 0).getTime() - now.getTime()) / 86_400_000
}

const unit = 'broadside-cards'

/** Without the fonts the service works, but link previews show plain pictures. */
export const cardsProbe: Probe = {
  name: 'cards',
  expects: 'the fonts for cards are installed, and a card is drawn',
  look: async (context) => {
    const settings = context.read(['FONTS_DIRECTORY', 'LISTEN_HOST', 'CARDS_PORT'])
    const missing = missingFonts(settings.FONTS_DIRECTORY)
    const packages = [...new Set(missing.map((font) => font.package))].join(' ')
    const url = `http://${localAddress(settings.LISTEN_HOST)}:${settings.CARDS_PORT}/check`
    const answer = await askService(url, context).then(
      ({ status, body }) => (status === 200 ? undefined : body.slice(0, 40)),
      (error) => codeOf(error),
    )
    const restart = context.unit('restart', unit)
    return [
      should(
        missing.length === 0,
        `All cards are plain: ${missing.length} fonts are not in ${settings.FONTS_DIRECTORY} (such as ${missing[0]?.file}).`,
        `apt-get install -y --no-install-recommends ${packages} && ${restart}`,
      ),
      must(
        answer === undefined || missing.length > 0,
        `No card is drawn at ${url} (${answer}).`,
        `${restart}; its log: journalctl -u ${unit} -n 50`,
      ),
    ]
  },
}
