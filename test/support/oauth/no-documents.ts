import type { ClientDocuments } from '../../../src/oauth/clients/metadata-documents.ts'

/** For an owner page to which no app is connected. */
export const noDocuments: ClientDocuments = { find: () => Promise.reject(new Error('no app is connected here')) }
