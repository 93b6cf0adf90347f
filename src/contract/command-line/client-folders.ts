/**
 * Where texts install the clients from: a checkout of the repository beside the reader’s folder. Nobody has published
 * them to npm or PyPI, so a stranger’s package could have the name there.
 */
export const clientFolders = {
  typescript: '../broadside/clients/typescript',
  python: '../broadside/clients/python',
}
