import { doorFile } from '../page-door/file.ts'
import { script } from './script.ts'
import { style } from './style.ts'

export const styleFile = doorFile('/owner-page.css', 'text/css', style)
export const scriptFile = doorFile('/owner-page.js', 'text/javascript', script)
