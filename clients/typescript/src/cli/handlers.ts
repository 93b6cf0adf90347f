import type { CommandName, ExitName } from './command-table.ts'
import { balance } from './commands/balance.ts'
import { check } from './commands/check.ts'
import { completion } from './commands/completion.ts'
import { deletePost } from './commands/delete.ts'
import { edit } from './commands/edit.ts'
import { init } from './commands/init.ts'
import { login } from './commands/login.ts'
import { logout } from './commands/logout.ts'
import { mine } from './commands/mine.ts'
import { place } from './commands/place.ts'
import { post } from './commands/post.ts'
import { search } from './commands/search.ts'
import { status } from './commands/status.ts'
import { stream } from './commands/stream.ts'
import { verify } from './commands/verify.ts'
import { wait } from './commands/wait.ts'
import type { Context } from './context.ts'
import { doctor } from './doctor/doctor.ts'
import { listen } from './listen/listen.ts'

/** What each command does. It returns its exit, unless that is 0. */
type Handler = (context: Context) => Promise<ExitName> | Promise<void>

export const handlers: Record<CommandName, Handler> = {
  login,
  logout,
  post,
  check,
  status,
  wait,
  edit,
  delete: deletePost,
  mine,
  search,
  place,
  verify,
  balance,
  stream,
  listen,
  doctor,
  init,
  completion,
}
