import type { ExitCode } from './command.ts'

/** How `broadside` exits: one code for each class of outcome, so that scripts can act on it. */
export const exitCodes = [
  { code: 0, name: 'ok', meaning: 'The command succeeded.' },
  { code: 1, name: 'failed', meaning: 'Something unexpected happened.' },
  { code: 2, name: 'usage', meaning: 'The command line is not valid.' },
  { code: 3, name: 'refused', meaning: 'The service refused the request. Change it before you send it again.' },
  { code: 4, name: 'key', meaning: 'The API key is missing, not valid or not allowed to do this.' },
  { code: 5, name: 'owner', meaning: 'The account’s owner must act: top up, approve or verify.' },
  { code: 6, name: 'not_found', meaning: 'The post, draft or path does not exist.' },
  { code: 7, name: 'limit', meaning: 'A limit is reached. Try again later.' },
  { code: 8, name: 'unavailable', meaning: 'The service did not respond or is unavailable.' },
  { code: 9, name: 'rejected', meaning: 'The post was rejected, removed or deleted.' },
  { code: 10, name: 'undecided', meaning: 'The post is not decided yet, or waits for a person.' },
  { code: 11, name: 'unverified', meaning: 'The post could not be verified: a check failed.' },
  { code: 130, name: 'interrupted', meaning: 'Ctrl-C ended the command.' },
] as const satisfies readonly ExitCode[]
