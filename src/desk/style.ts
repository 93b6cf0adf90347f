import { contents } from '../page-door/style/contents.ts'
import { forms } from '../page-door/style/forms.ts'
import { frame } from '../page-door/style/frame.ts'
import { caseStyle } from './case/style.ts'
import { logStyle } from './log/style.ts'
import { numbersStyle } from './numbers/style.ts'
import { queueStyle } from './queue/style.ts'
import { staffStyle } from './staff/style.ts'

/** The look of the doors for people, whose classes owner-page/style.ts lists, and what only the desk has. */
export const style = [frame, forms, contents, queueStyle, caseStyle, staffStyle, numbersStyle, logStyle].join('\n')
