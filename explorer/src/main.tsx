import { render } from 'preact'
import { diagramStyle } from '../../src/emit/diagram/style.ts'
import './style.css'
import { App } from './app.tsx'
import { followPlatform } from './platform.ts'
import { followTheme } from './theme.ts'

const style = new CSSStyleSheet()
style.replaceSync(diagramStyle('light'))
document.adoptedStyleSheets.push(style)
followTheme()
void followPlatform()
const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
