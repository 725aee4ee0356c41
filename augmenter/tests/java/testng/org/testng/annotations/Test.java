package org.testng.annotations;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** By its name TestNG's annotation, of methods and of classes. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {}
