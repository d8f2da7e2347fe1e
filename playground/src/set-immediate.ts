// Langium uses the `setImmediate` of Node. `setTimeout` would wait 4 ms when it is nested, a message does not.
const { port1, port2 } = new MessageChannel()
const waiting: (() => void)[] = []
port1.addEventListener('message', () => waiting.shift()?.())
port1.start()

Object.assign(globalThis, {
  setImmediate: (run: () => void) => {
    waiting.push(run)
    port2.postMessage(undefined)
  },
})
