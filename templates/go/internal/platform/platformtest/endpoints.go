package platformtest

import "example.com/project/internal/platform"

func init() { platform.ChecksResponses = true }
