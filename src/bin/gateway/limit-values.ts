import { appRates } from '../../contract/app-limits.ts'
import { cardSeconds, cardsOfAddress, cardsTogether } from '../../contract/card-limits.ts'
import {
  addressLimits,
  gatewayTimeouts,
  maxFormBytes,
  maxPaymentEventBytes,
  ownerEmailsTogether,
  type RequestRate,
} from '../../contract/limits.ts'
import { streamLimits, streamOpenings, streamOpeningsOfAddress } from '../../contract/stream-limits.ts'
import { lines, quote, type Values } from './template.ts'

/** What the gateway allows one address, and all of them together where the name says so. */
export type GatewayLimits = {
  connections: number
  apiRequestsInProgress: number
  /** Open streams, and how many open per second from all addresses together. */
  streams: number
  streamOpenings: { perSecond: number; burst: number }
  streamOpeningsOfAddress: RequestRate
  pageRequestsInProgress: number
  ownerPage: RequestRate
  ownerForms: RequestRate
  ownerEmails: RequestRate
  ownerEmailsTogether: RequestRate
  desk: RequestRate
  /** Cards that the gateway's cache lacks. */
  cards: RequestRate
  cardsTogether: { perSecond: number; burst: number }
  /** How long the gateway keeps a card before it looks again whether the post is there. */
  cardSeconds: number
  paymentEvents: RequestRate
  apps: RequestRate
  appRegistrations: RequestRate
  /** Requests per second to the API, below the ceiling; null for none but the ceiling. */
  apiRequestsPerSecond: number | null
  /** For a whole header, and between two parts of a body. */
  headerSeconds: number
  bodySeconds: number
}

/** The limits of a deployment that sets none of its own. */
export const usualLimits: GatewayLimits = {
  ...addressLimits,
  ...appRates,
  ...gatewayTimeouts,
  streams: streamLimits.perAddress,
  streamOpenings,
  streamOpeningsOfAddress,
  ownerEmailsTogether,
  cards: cardsOfAddress,
  cardsTogether,
  cardSeconds,
  apiRequestsPerSecond: null,
}

/** The forms of the owner page that send an email. */
export const ownerEmailForms = ['/find-account', '/sign-in/code', '/account/email', '/connect/email'] as const

/** After this time, an address that sends nothing more is allowed one more request of any kind. */
export const pageRetrySeconds = (limits: GatewayLimits): number =>
  Math.ceil(60 / Math.min(...ratesForPeople(limits).map(({ perMinute }) => perMinute)))

const ratesForPeople = ({ ownerPage, ownerForms, ownerEmails, ownerEmailsTogether, desk }: GatewayLimits) => [
  ownerPage,
  ownerForms,
  ownerEmails,
  ownerEmailsTogether,
  desk,
]

export const limitValues = (limits: GatewayLimits): Values => ({
  header_seconds: limits.headerSeconds,
  body_seconds: limits.bodySeconds,
  stream_openings_rate: limits.streamOpenings.perSecond,
  address_stream_openings_rate: limits.streamOpeningsOfAddress.perMinute,
  owner_page_rate: limits.ownerPage.perMinute,
  owner_forms_rate: limits.ownerForms.perMinute,
  owner_emails_rate: limits.ownerEmails.perMinute,
  owner_emails_together_rate: limits.ownerEmailsTogether.perMinute,
  desk_rate: limits.desk.perMinute,
  apps_rate: limits.apps.perMinute,
  app_registrations_rate: limits.appRegistrations.perMinute,
  payment_events_rate: limits.paymentEvents.perMinute,
  owner_email_forms: lines(ownerEmailForms, (path) => `${quote(`POST:${path}`)} $client_network;`),
  address_zone: limits.apiRequestsPerSecond
    ? `limit_req_zone $client_network zone=api_addresses:4m rate=${limits.apiRequestsPerSecond}r/s;`
    : '',
})

export const apiValues = ({ apiRequestsInProgress, apiRequestsPerSecond }: GatewayLimits): Values => ({
  requests_in_progress: apiRequestsInProgress,
  // The same proportion as at the ceiling.
  address_rate: apiRequestsPerSecond ? `limit_req zone=api_addresses burst=${2 * apiRequestsPerSecond} nodelay;` : '',
})

export const cardValues = ({ cards, cardsTogether: together }: GatewayLimits): Values => ({
  address_rate: cards.perMinute,
  address_burst: cards.burst,
  rate: together.perSecond,
  burst: together.burst,
})

export const siteValues = ({ streams, streamOpenings, streamOpeningsOfAddress: ofAddress }: GatewayLimits): Values => ({
  streams_per_address: streams,
  stream_openings_burst: streamOpenings.burst,
  address_stream_openings_burst: ofAddress.burst,
})

export const ownerPageValues = (limits: GatewayLimits): Values => ({
  max_form_bytes: maxFormBytes,
  max_payment_event_bytes: maxPaymentEventBytes,
  requests_in_progress: limits.pageRequestsInProgress,
  owner_page_burst: limits.ownerPage.burst,
  owner_forms_burst: limits.ownerForms.burst,
  owner_emails_burst: limits.ownerEmails.burst,
  owner_emails_together_burst: limits.ownerEmailsTogether.burst,
  app_requests_in_progress: limits.apiRequestsInProgress,
  apps_burst: limits.apps.burst,
  app_registrations_burst: limits.appRegistrations.burst,
  payment_events_burst: limits.paymentEvents.burst,
})

export const deskValues = (limits: GatewayLimits): Values => ({
  max_form_bytes: maxFormBytes,
  requests_in_progress: limits.pageRequestsInProgress,
  desk_burst: limits.desk.burst,
})
