import type { Database } from '../../platform/database/database.ts'
import { OAuthError } from '../oauth-error.ts'
import type { OAuthClient } from './client-metadata.ts'
import { type ClientDocuments, isDocumentUrl } from './metadata-documents.ts'
import { findRegisteredClient } from './registered-clients.ts'

/** The client with this identifier: one that registered, or one that has a metadata document. */
export async function findClient(
  { db, documents }: { db: Database; documents: ClientDocuments },
  id: string,
  at: Date,
): Promise<OAuthClient> {
  if (isDocumentUrl(id)) return documents.find(db, id, at)
  const client = id.startsWith('client_') ? await findRegisteredClient(db, id, at) : null
  if (!client) throw new OAuthError('invalid_client', 'This client is not registered. Register it again.')
  return client
}
