import { type Html, html } from '../../markup/html.ts'
import { alarmOf, type CanaryAlarm, type KeptRun } from '../../moderation/canaries/read-runs.ts'
import { when } from '../../page-door/when.ts'

const alarms: Record<CanaryAlarm, { title: string; says: string }> = {
  published: {
    title: 'A text that must never be published would have been',
    says: 'The stages let it pass today, and may let posts like it pass. Tell whoever runs the service now: the runbook of moderation says what to do.',
  },
  stale: {
    title: 'The canaries have not run for more than a day and a half',
    says: 'They run once a day. Nobody knows whether the stages still see what they must: tell whoever runs the service.',
  },
  not_judged: {
    title: 'The model gives no answer to the canaries',
    says: 'On two days in a row not all of them could be judged. Posts may be waiting, too: tell whoever runs the service.',
  },
}

/** How the daily test went: in red when somebody must act. */
export function canariesNotice(runs: readonly KeptRun[], now: Date): Html {
  const [newest] = runs
  if (!newest)
    return html`<p class="small after">The canaries, texts that must never be published, have not run yet.</p>`
  const { judged, not_judged, published, published_ids, at } = newest
  const alarm = alarmOf(runs, now)
  const figures = html`Of ${judged + not_judged} canaries ${judged} were judged and ${published} would have been published, !${when(at)}.`
  if (!alarm) return html`<p class="small after">!${figures}</p>`
  const { title, says } = alarms[alarm]
  return html`<div class="notice bad"><h2>${title}</h2><p>${says}</p><p>!${figures}!${published > 0 ? html` <code>${published_ids.join(', ')}</code>` : ''}</p></div>`
}
