import { type Html, html } from '../../markup/html.ts'
import type { Location } from '../presentation/place-line.ts'
import { placeName } from '../presentation/place-line.ts'

type Event = { title: string; starts_at: string; ends_at: string; location?: Location | undefined }

/** Ways to add one event to a calendar. The links to other services contain the title, the times and our address. */
export function addToCalendar({ id, url, content }: { id: string; url: string; content: Event }): Html {
  return html`<p class="add"><span>Add to calendar:</span> <a href="/p/${id}.ics">Calendar file (.ics)</a> <a href="${googleUrl(content, url)}" rel="nofollow noopener">Google</a> <a href="${outlookUrl(content, url)}" rel="nofollow noopener">Outlook</a></p>`
}

function googleUrl({ title, starts_at, ends_at, location }: Event, url: string): string {
  const at = (iso: string) => new Date(iso).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return withQuery('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: title,
    dates: `${at(starts_at)}/${at(ends_at)}`,
    details: url,
    ...(location && { location: placeName(location) }),
  })
}

function outlookUrl({ title, starts_at, ends_at, location }: Event, url: string): string {
  return withQuery('https://outlook.live.com/calendar/0/action/compose', {
    rru: 'addevent',
    subject: title,
    startdt: new Date(starts_at).toISOString(),
    enddt: new Date(ends_at).toISOString(),
    body: url,
    ...(location && { location: placeName(location) }),
  })
}

const withQuery = (base: string, query: Record<string, string>) => `${base}?${new URLSearchParams(query)}`
