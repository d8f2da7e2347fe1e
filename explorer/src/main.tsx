import { render } from 'preact'
import { diagramStyle } from '../../src/emit/diagram/style.ts'
import './style.css'
import { App } from './app.tsx'
import { watchPlatform } from './platform.ts'
import { applyTheme } from './theme.ts'

const style = new CSSStyleSheet()
style.replaceSync(diagramStyle('light'))
document.adoptedStyleSheets.push(style)
applyTheme()
void watchPlatform()
const root = document.querySelector('#app')
if (root !== null) render(<App />, root)
