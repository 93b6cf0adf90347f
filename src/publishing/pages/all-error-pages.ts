import type { SiteView } from '../views.ts'
import { authorGonePage, busyPage, gonePage, missingPage, unavailablePage } from './error-pages.ts'
import { busyFormPage, unavailableFormPage } from './form-error-pages.ts'

/** The pages that the gateway shows to people instead of problem documents, by site and name: `messages/404.html`. */
export const errorPages = (sites: Iterable<SiteView>): Map<string, string> =>
  new Map(
    [...sites].flatMap((site) =>
      Object.entries({
        '404.html': missingPage(site),
        '410.html': gonePage(site),
        'author-gone.html': authorGonePage(site),
        '429.html': busyPage(site),
        '503.html': unavailablePage(site),
        '429-form.html': busyFormPage(site),
        '503-form.html': unavailableFormPage(site),
      }).map(([name, page]) => [`${site.kind.site.slug}/${name}`, String(page)] as const),
    ),
  )
