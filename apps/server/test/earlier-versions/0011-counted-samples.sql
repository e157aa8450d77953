update projects set sample_dataset = null;
