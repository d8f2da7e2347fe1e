import { render } from 'preact'
import './main.css'
import { App } from './app.tsx'
import { loadExamples } from './examples.ts'
import { decode } from './share.ts'

const root = document.querySelector('#app')
const [examples, shared] = await Promise.all([loadExamples(), decode(location.hash.slice(1))])
if (root !== null) render(<App examples={examples} definition={shared ?? examples[0].definition} />, root)
