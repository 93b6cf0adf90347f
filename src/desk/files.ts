import { doorFile } from '../page-door/file.ts'
import { script } from './script.ts'
import { style } from './style.ts'

export const styleFile = doorFile('/desk.css', 'text/css', style)
export const scriptFile = doorFile('/desk.js', 'text/javascript', script)
