import { randomBytes } from 'node:crypto'
import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import packageFile from '../../../package.json' with { type: 'json' }

type App = {
  /** The MCP endpoint. */
  url: string
  redirectUrl: string
  /** The address of the app's metadata document; without one, the app registers itself. */
  clientMetadataUrl?: string
}

/** An app that uses the official client and keeps everything in memory, as a hosted agent would for one user. */
export function openMcpApp({ url, redirectUrl, clientMetadataUrl }: App) {
  const kept: { information?: never; tokens?: never; discovery?: never; verifier?: string; state?: string } = {}
  let sentTo: PromiseWithResolvers<URL> = Promise.withResolvers()
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(clientMetadataUrl && { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Harbour assistant',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    } satisfies OAuthClientMetadata,
    state: () => {
      kept.state = randomBytes(16).toString('base64url')
      return kept.state
    },
    clientInformation: () => kept.information,
    saveClientInformation: (information) => {
      kept.information = information as never
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens as never
    },
    saveDiscoveryState: (discovery) => {
      kept.discovery = discovery as never
    },
    discoveryState: () => kept.discovery,
    redirectToAuthorization: (asked) => sentTo.resolve(asked),
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => String(kept.verifier),
  }
  const newTransport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
  const newClient = () => new Client({ name: 'harbour-assistant', version: packageFile.version })
  return {
    kept,
    /** Tries to connect without a token and returns the address that the person must open. */
    start: async (): Promise<URL> => {
      sentTo = Promise.withResolvers()
      await newClient()
        .connect(newTransport())
        .catch((error) => {
          if (!(error instanceof UnauthorizedError)) throw error
        })
      return sentTo.promise
    },
    /** Continues with the parameters that the redirect brought. */
    finish: async (callback: URL): Promise<Client> => {
      if (callback.searchParams.get('state') !== kept.state) throw new Error('the state is not ours')
      await newTransport().finishAuth(callback.searchParams)
      const client = newClient()
      await client.connect(newTransport())
      return client
    },
  }
}
