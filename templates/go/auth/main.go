package main

import (
	"context"

	"example.com/project/internal/platform"
)

// schemaHash identifies the schema that auth-db/migrations leads to.
const schemaHash = "6b992ba20c116d7d881f12f3926aa14094c103792ed2bb9543ccb99c4b8e2441"

func main() {
	platform.Run(func(environment *platform.Environment) (platform.Service, error) {
		config, settings := readConfig(environment), readSettings(environment)
		service := platform.Service{Name: "auth", SchemaHash: schemaHash, Config: config.Config}
		service.Start = func(ctx context.Context, parts platform.Parts) (*platform.API, error) {
			tokens, err := platform.WatchTokens(ctx, config.CredentialsFile, parts.Log)
			if err != nil {
				return nil, err
			}
			tokens.Lifetime = config.TokenLifetime
			return newAPI(ctx, newEnv(config, settings, parts), tokens)
		}
		return service, environment.Err()
	})
}
