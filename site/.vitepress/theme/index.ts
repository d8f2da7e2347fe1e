import DefaultTheme from 'vitepress/theme'
import type { Theme } from 'vitepress'
import './contrast.css'
import Start from './start.vue'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('Start', Start)
  },
} satisfies Theme
