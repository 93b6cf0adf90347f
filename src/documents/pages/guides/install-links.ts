type Server = { name: string; title: string; description: string; url: string }

/**
 * Addresses that open a client and offer to add the server, by the name of the client. Each has the form that the
 * client documents. None contains a key: the client signs in.
 */
export const installLinks: Readonly<Record<string, (server: Server) => string>> = {
  'VS Code': ({ name, url }) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
  Cursor: ({ name, url }) =>
    `cursor://anysphere.cursor-deeplink/mcp/install?${query({ name, config: encoded({ url }) })}`,
  goose: ({ name, title, description, url }) =>
    `goose://extension?${query({ type: 'streamable_http', url, id: name, name: title, description })}`,
}

/** LM Studio does not sign in. The person replaces the placeholder by a key. */
export const lmStudioLink = ({ name, url }: Pick<Server, 'name' | 'url'>): string =>
  `lmstudio://add_mcp?${query({ name, config: encoded({ url, headers: { Authorization: 'Bearer YOUR_API_KEY' } }) })}`

const encoded = (config: object): string => Buffer.from(JSON.stringify(config)).toString('base64')

/** Not all of these clients read a plus sign as a space, so URLSearchParams is not used. */
const query = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
