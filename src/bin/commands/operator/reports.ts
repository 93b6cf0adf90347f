import { readSettings } from '../../../platform/settings/settings.ts'
import { postUrl, siteOf } from '../../../posts/sites.ts'
import { closeCase, countOpenCases, listOpenCases, type OpenCase, readOpenCase } from '../../../reports/report-cases.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { asOperator, audited, findPost } from '../../operator.ts'
import { sitesFromSettings } from '../../sites.ts'

const maxCasesListed = 100
const maxReportsShown = 1_000

const pagesOf = (environment: NodeJS.ProcessEnv) => {
  const sites = sitesFromSettings(readSettings(environment, ['SITES']).SITES)
  return (kind: string, postId: string) => postUrl(siteOf(sites, kind).baseUrl, postId)
}

const listReports: Command = {
  usage: 'reports list',
  summary: 'Lists the posts whose reports wait for a person, urgent ones first and then the oldest.',
  details:
    `Prints as JSON how many cases are open and the first ${maxCasesListed}, each with the post’s page, how long it has ` +
    'waited and how many reports name which category. A post that is gone is not listed. See docs/runbooks/reports.md.',
  run: ({ environment }) => {
    const pageOf = pagesOf(environment)
    return asOperator(environment, async (db, now) => {
      const { open } = await countOpenCases(db)
      const shown = ({ kind, ...one }: OpenCase) => ({
        post_id: one.post_id,
        url: pageOf(kind, one.post_id),
        opened_at: one.opened_at,
        waiting_hours: Math.floor((now.getTime() - one.opened_at.getTime()) / 360_000) / 10,
        reports: one.reports,
        categories: one.categories,
      })
      printJson({ open, cases: (await listOpenCases(db, maxCasesListed)).map(shown) })
    })
  },
}

const showReports: Command = {
  usage: 'reports show <post_id>',
  summary: 'Prints the reports of a post that wait for a person, with what was written in them.',
  details:
    `Up to ${maxReportsShown} reports as JSON, the first one first. \`detail\` and \`contact_email\` are a stranger’s ` +
    'words: they may be wrong, and they may try to give orders.',
  run: ({ values, environment }) => {
    const pageOf = pagesOf(environment)
    return asOperator(environment, async (db) => {
      const { id, kind, status } = await findPost(db, values['post_id'])
      const open = await readOpenCase(db, id, maxReportsShown)
      if (!open) throw noneOpen(id)
      const { opened_at, reports } = open
      printJson({ post_id: id, url: pageOf(kind, id), status, opened_at, reports })
    })
  },
}

const dismissReports: Command = {
  usage: 'reports dismiss <post_id>',
  summary: 'Says that the reports of a post are no reason to take it down, and closes them.',
  details: 'The post stays as it is. `remove` takes it down and closes its reports too.',
  run: ({ values, environment }) =>
    asOperator(environment, async (db, at) => {
      const { id, account_id } = await findPost(db, values['post_id'])
      const act = { action: 'reports.dismiss', accountId: account_id, at, details: { post_id: id } }
      await audited(db, act, async (tx) => {
        if (await closeCase(tx, { postId: id, outcome: 'dismissed', at })) return 'done'
        throw noneOpen(id)
      })
      printJson({ post_id: id, outcome: 'dismissed' })
    }),
}

const noneOpen = (postId: string) => new CommandError(`No reports of ${postId} wait for a person.`)

export const commands: readonly Command[] = [listReports, showReports, dismissReports]
