import { Broadside, type BroadsideOptions, type WithResponse } from '../../clients/typescript/src/index.ts'

/** The API client of tests and scripts. Its methods return the status and the headers beside the body. */
export type ApiClient = WithResponse

/** A client with this key, or without one: the environment has no part in it. */
export const openApiClient = ({ apiKey = null, ...options }: BroadsideOptions): ApiClient =>
  new Broadside({ ...options, apiKey }).withResponse
