// Package serve serves the site of a model on this machine, builds it again when a file of the model changes, and reloads the pages
// that are open in browsers.
//
//	changes, err := serve.Watch(ctx)
//	if err != nil {
//		return err
//	}
//	return serve.Run(ctx, serve.Config{
//		Build: func(ctx context.Context) (map[string][]byte, error) {
//			if err := changes.Set([]serve.Input{{Dir: dir, Has: isGo}}); err != nil {
//				return nil, err
//			}
//			return build(ctx, dir)
//		},
//		Changes: changes.C,
//		Ready:   func(url string) { fmt.Println(url) },
//	})
package serve
