import { existsSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deploymentFrom, deploymentSettings } from '../../../../documents/deployment.ts'
import { bySite } from '../../../../documents/write-documents.ts'
import { kinds } from '../../../../kinds/index.ts'
import { openPages, type PagesPlace } from '../../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../../platform/page-store/pages-settings.ts'
import {
  asRoot,
  type CheckFinding,
  type Context,
  codeOf,
  problem,
  type RunCheck,
  unchecked,
  warning,
} from '../../check.ts'
import { findUser, mayAccess } from '../../users.ts'
import { checkBucket } from './bucket.ts'

export const checkPages: RunCheck = async (context) => {
  const settings = context.read(pagesSettings)
  if (settings.PAGES_STORE === 's3') return checkObjectStore(context, pagesPlaceFrom(settings))
  const directory = settings.PAGES_DIRECTORY
  const { worker, gateway } = usersOf(context)
  const create = `install -d -o ${worker} -m 755 ${directory} && ${context.broadside('documents')} && ${context.broadside('rebuild')}`
  const found = statOf(directory)
  if (found === 'missing') return only(problem(`The directory ${directory} does not exist.`, create))
  if (found === 'hidden') return only(unchecked(`This user cannot enter ${dirname(directory)}.`, asRoot(context)))
  if (!found.isDirectory())
    return only(problem(`${directory} is not a directory.`, `mv ${directory} ${directory}.old && ${create}`))
  const findings = [
    ...openToOthers(directory, found),
    ...(await checkWorker(context, directory, worker)),
    ...(await checkDocuments(context, { directory })),
    ...(await checkGateway(context, directory, gateway)),
  ]
  return {
    summary: `${worker} can write ${directory}, ${gateway} can read it, and the documents are current.`,
    findings,
  }
}

async function checkObjectStore(context: Context, place: PagesPlace) {
  await using pages = openPages(place)
  const findings = pages.client ? await checkBucket(pages.client) : []
  if (findings.some(({ level }) => level === 'problem')) return { summary: '', findings }
  return {
    summary:
      'The bucket of the pages accepts conditional writes, everybody can read it, and the documents are current.',
    findings: [...findings, ...(await checkDocuments(context, place))],
  }
}

const only = (finding: CheckFinding) => ({ summary: '', findings: [finding] })

/** Outside production everything runs as the current user. */
function usersOf({ read, isProduction }: Context) {
  const { SERVICE_USER, GATEWAY_USER } = read(['SERVICE_USER', 'GATEWAY_USER'])
  const current = process.env['USER'] ?? 'root'
  return isProduction ? { worker: SERVICE_USER, gateway: GATEWAY_USER } : { worker: current, gateway: current }
}

function statOf(path: string): Stats | 'missing' | 'hidden' {
  try {
    return statSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return 'missing'
    if (codeOf(error) === 'EACCES') return 'hidden'
    throw error
  }
}

function openToOthers(directory: string, { mode }: Stats): CheckFinding[] {
  if ((mode & 0o002) === 0) return []
  return [
    problem(
      `Every user can write to ${directory}: its mode is ${(mode & 0o7777).toString(8)}.`,
      `chmod 755 ${directory}`,
    ),
  ]
}

async function checkWorker(context: Context, directory: string, user: string): Promise<CheckFinding[]> {
  if (findUser(user) === undefined)
    return [
      problem(
        `There is no user ${user} on this machine to run the processes (SERVICE_USER).`,
        `adduser --system --group --no-create-home ${user}`,
      ),
    ]
  const folders = [directory, join(directory, '.trees')].filter((folder) => existsSync(folder))
  for (const folder of folders) {
    const can = await mayAccess(context, user, folder, 'write')
    if (can === undefined)
      return [unchecked(`Only root can tell whether ${user} can write to ${folder}.`, asRoot(context))]
    if (!can) return [problem(`The workers cannot write to ${folder} as ${user}.`, `chown -R ${user}: ${directory}`)]
  }
  return []
}

async function checkGateway(context: Context, directory: string, user: string): Promise<CheckFinding[]> {
  if (findUser(user) === undefined)
    return [
      problem(
        `There is no user ${user} on this machine to run the gateway (GATEWAY_USER).`,
        'apt-get install nginx-light',
      ),
    ]
  const [site = ''] = siteFolders(context)
  const file =
    [join(directory, site, 'robots.txt.gz'), join(directory, site)].find((path) => existsSync(path)) ?? directory
  const can = await mayAccess(context, user, file, 'read')
  if (can === undefined) return [unchecked(`Only root can tell whether ${user} can read ${file}.`, asRoot(context))]
  if (can) return []
  const blocked = await firstBlocked(context, user, file)
  return [
    problem(
      `The gateway cannot read ${file} as ${user}${blocked === file ? '' : `: it may not enter ${blocked}`}.`,
      blocked === file || blocked.startsWith(directory) ? `chmod -R o+rX ${directory}` : `chmod o+x ${blocked}`,
    ),
  ]
}

/** The highest folder on the way to a file that the user may not enter, or the file. */
async function firstBlocked(context: Context, user: string, file: string): Promise<string> {
  const above: string[] = []
  for (let folder = dirname(file); folder !== '/'; folder = dirname(folder)) above.unshift(folder)
  for (const folder of above) if (!(await mayAccess(context, user, folder, 'enter'))) return folder
  return file
}

const siteFolders = ({ read }: Context) => {
  const { SITES } = read(['SITES'])
  return kinds.filter(({ name }) => name in SITES).map(({ site }) => site.slug)
}

/** security.txt contains the time when it was written. */
const dated = /security\.txt$/
const fewestDays = 30

async function checkDocuments(context: Context, place: PagesPlace): Promise<CheckFinding[]> {
  const write = context.broadside('documents')
  const deployment = deploymentFrom(context.read(deploymentSettings), context.clock.now())
  // Imported here because rendering loads most of the program.
  const { allDocuments } = await import('../../../../documents/all-documents.ts')
  await using pages = openPages(place)
  const missing: string[] = []
  const old: string[] = []
  for (const [site, own] of bySite(allDocuments(deployment))) {
    const store = pages.siteReader(site)
    for (const [path, content] of own) {
      const found = await readOrHidden(store.read, path)
      if (found === 'hidden') return [unchecked(`This user cannot read the pages of ${site}.`, asRoot(context))]
      if (!found) missing.push(`${site}/${path}`)
      else if (!dated.test(path) && !found.equals(Buffer.from(content))) old.push(`${site}/${path}`)
      else if (dated.test(path) && daysLeft(found, context.clock.now()) < fewestDays) old.push(`${site}/${path}`)
    }
  }
  const list = (paths: readonly string[]) => `${paths.length} (such as ${paths[0]})`
  return [
    ...(missing.length > 0 ? [problem(`Documents are missing: ${list(missing)}.`, write)] : []),
    ...(old.length > 0 ? [warning(`Documents are from another version or other settings: ${list(old)}.`, write)] : []),
  ]
}

async function readOrHidden(
  read: (path: string) => Promise<Buffer | undefined>,
  path: string,
): Promise<Buffer | 'hidden' | undefined> {
  try {
    return await read(path)
  } catch (error) {
    if (codeOf(error) === 'EACCES') return 'hidden'
    if (codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

function daysLeft(file: Buffer, now: Date): number {
  const expires = /^Expires: (.+)$/m.exec(file.toString())?.[1]
  return (new Date(expires ?? 0).getTime() - now.getTime()) / 86_400_000
}
