// Loaded into a measured process: tells the one that measures how much memory it had at most. JavaScript, as
// Node's loader of TypeScript takes 15 MB itself.
process.channel?.unref()
process.on('exit', () => {
  process.send?.(process.resourceUsage().maxRSS * 1024)
})
