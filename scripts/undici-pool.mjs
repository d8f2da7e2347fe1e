// undici's pool without the rest of undici, which takes 15 ms to load.
import api from 'undici/lib/api/index.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Pool from 'undici/lib/dispatcher/pool.js'

// As undici's own main file does.
Object.assign(Dispatcher.prototype, api)

export { Pool }
