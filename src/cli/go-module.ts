import { defaultModule } from '../model/resolve.ts'
import { MODULE_PATH } from '../output/go-mod.ts'
import type { Context } from './context.ts'
import { loadPrompts } from './prompts.ts'

/**
 * Asks for the path of the Go module of a new project, if questions can be asked; the default otherwise.
 *
 * @param project the name of the project in kebab-case.
 */
export async function moduleOf(project: string, context: Context): Promise<string> {
  const module = defaultModule(project)
  if (!context.interactive) return module
  const prompts = await loadPrompts(context)
  return await prompts.text({
    message: 'Path of the Go module:',
    default: module,
    check: (text) => MODULE_PATH.test(text) || 'Enter the path of a module, such as `github.com/acme/shop`',
  })
}
