import type { Settings } from '../settings/settings.ts'
import type { PagesPlace } from './open-pages.ts'

/** The settings of the page store. */
export const pagesSettings = ['PAGES_DIRECTORY'] as const

export const pagesPlaceFrom = (settings: Settings<(typeof pagesSettings)[number]>): PagesPlace => ({
  directory: settings.PAGES_DIRECTORY,
})
