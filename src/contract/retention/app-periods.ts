import { day, hour, type Period, row } from './period.ts'

/** What connecting an app leaves behind. */
export const appPeriods = {
  'mailbox-codes': {
    ...row,
    table: 'mailbox_codes',
    what: 'a sign-in code for connecting an app',
    keptSeconds: day,
    from: 'it expires',
    why: 'The number of codes per mailbox is limited.',
  },
  'oauth-requests': {
    ...row,
    table: 'oauth_requests',
    what: 'what an app asked you for',
    keptSeconds: hour,
    from: 'it expires',
    why: 'A code that is used a second time ends the session that it started.',
  },
  'oauth-access-tokens': {
    ...row,
    table: 'oauth_access_tokens',
    what: 'the hash of an app’s access token',
    keptSeconds: 0,
    from: 'it expires',
    why: 'The app uses it for a few minutes.',
  },
  'oauth-sessions': {
    ...row,
    table: 'oauth_sessions',
    what: 'an app’s session',
    keptSeconds: 0,
    from: 'it expires, 90 days after its last use, or until you disconnect the app',
    why: 'The app stays connected while it is used.',
  },
  'oauth-clients': {
    ...row,
    table: 'oauth_clients',
    what: 'the name and addresses of an app that asked to be connected',
    keptSeconds: 0,
    from: 'it expires: a day after it registered, or 180 days after it was last used',
    why: 'The app needs no new registration.',
  },
} as const satisfies Record<string, Period>
